import { randomUUID } from 'node:crypto';
import { Controller, Get, Logger, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { Clock } from '../../clock.js';
import { SignedInGuard } from '../signed-in.guard.js';
import { SignedIn, type SignedInPlayer } from '../signed-in.js';
import { AccountExportsService } from './account-exports.service.js';
import { answerInPieces, ReaderLost } from './paced-answer.js';

/** The export of an account as a file, however long it is. */
@Controller('api/account/export')
@UseGuards(SignedInGuard)
export class AccountExportController {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly exports: AccountExportsService,
    private readonly clock: Clock,
  ) {}

  @Get()
  async download(@SignedIn() { playerId }: SignedInPlayer, @Res() response: Response): Promise<void> {
    const day = this.clock.now().toISOString().slice(0, 10);
    try {
      await this.exports.write(playerId, (pieces) => {
        response.type('json').set({
          'Content-Disposition': `attachment; filename="tic-tac-toe-${day}.json"`,
          'Cache-Control': 'no-store',
        });
        return answerInPieces(response, pieces);
      });
      // Whoever has read all of it may ask again.
      response.end();
      this.logger.log({ event: 'account_exported', playerId });
    } catch (problem) {
      if (!response.headersSent && !(problem instanceof ReaderLost)) {
        response.removeHeader('Content-Disposition');
        throw problem;
      }
      // Cut short: a reader must not take half of a document for the whole.
      response.destroy();
      this.explain(problem, playerId);
    }
  }

  private explain(problem: unknown, playerId: string): void {
    if (problem instanceof ReaderLost) {
      this.logger.log({ event: 'export_given_up', reason: problem.reason, playerId });
    } else {
      const stack = problem instanceof Error ? problem.stack : String(problem);
      this.logger.error({ event: 'export_failed', id: randomUUID(), playerId }, stack);
    }
  }
}
