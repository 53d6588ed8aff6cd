/** The least that Node needs for an answer: the same body as `/health/live`. */
import { createServer } from 'node:http';

createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end('{"status":"live"}');
}).listen(Number(process.env.PORT), '127.0.0.1');
