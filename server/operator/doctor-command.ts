import type { Command } from 'commander';
import { examine, type Finding } from './doctor.js';
import { withDatabase } from './session.js';
import type { Terminal } from './terminal.js';

export function addDoctorCommand(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('check settings, database, clocks, schema and sums; exit code 1 when something needs you')
    .option('--full', 'recount the games of all players instead of a sample')
    .option('--json', 'print JSON')
    .action(({ full = false, json }: { full?: boolean; json?: boolean }) =>
      withDatabase(
        terminal,
        async (session) => {
          const findings = await examine({ ...session, full });
          if (json) terminal.printJson(findings);
          else printFindings(terminal, findings);
          if (findings.some(({ advice }) => advice)) terminal.exitCode = 1;
        },
        { anySchema: true },
      ),
    );
}

function printFindings(terminal: Terminal, findings: readonly Finding[]): void {
  for (const { check, said, advice } of findings) {
    terminal.print(`${advice ? 'PROBLEM' : 'ok     '}  ${check}: ${said}`);
    if (advice) terminal.print(`         ${advice}`);
  }
  const problems = findings.filter(({ advice }) => advice).length;
  terminal.print(problems > 0 ? `${problems} ${problems === 1 ? 'problem' : 'problems'}` : 'No problem');
}
