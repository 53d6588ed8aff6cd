#!/usr/bin/env node
/** The command line of the operator: `npm run ttt -- --help`, in the image `ttt --help`. */
import { runCommand } from './program.js';

// In `ttt … | head`, the reader ends first.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await runCommand(process.argv.slice(2), process.env, {
  write: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
  isInteractive: process.stdin.isTTY,
});
