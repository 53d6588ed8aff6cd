/**
 * Loaded before the server of docker-compose.trial.yml. The local sign-in answers only connections from the server's own computer, which
 * for a container is the container. So the server listens there, and this relay passes on what Docker publishes: on
 * 127.0.0.1 of the machine alone.
 */
import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';

const { PORT, PUBLIC_ORIGIN } = process.env;

console.log(`
 ████████ ██████  ██  █████  ██
    ██    ██   ██ ██ ██   ██ ██
    ██    ██████  ██ ███████ ██
    ██    ██   ██ ██ ██   ██ ██
    ██    ██   ██ ██ ██   ██ ███████

 THIS IS A TRIAL, NOT FOR PRODUCTION. ITS SECRETS ARE PUBLIC, AND ANYBODY ON THIS COMPUTER CAN SIGN IN AS ANYBODY.

 Play at   ${PUBLIC_ORIGIN}
 Remove    docker compose --file docker-compose.trial.yml down --volumes --rmi all
`);

createServer((near) => {
  const far = connect(Number(PORT), '127.0.0.1');
  // The end of one ends the other.
  pipeline(near, far, near, () => undefined);
})
  .listen(3000)
  // The server decides when the process ends.
  .unref();
