/** Loaded before the server (`node --import`): logs each statement that it sends to PostgreSQL. */
import pg from 'pg';

const { query } = pg.Client.prototype;

/** @type {(this: pg.Client, ...given: any[]) => any} */
const logged = function (...given) {
  const [statement] = given;
  console.log(JSON.stringify({ event: 'statement', text: statement.text ?? statement }));
  return Reflect.apply(query, this, given);
};
Object.assign(pg.Client.prototype, { query: logged });
