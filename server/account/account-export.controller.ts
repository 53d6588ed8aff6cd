import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Logger, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock, utcDay } from '../base/clock.js';
import { logFailure } from '../database/errors.js';
import { RequestAllowance } from '../limits/allowance.js';
import { allowanceSpent } from '../web/answers/refusals.js';
import { Authenticated, SignedIn } from '../auth/sessions/session.guard.js';
import type { ActingPlayer } from '../auth/sessions/session.entity.js';
import { AccountExportsService } from './account-exports.service.js';

const JSON_TYPE = 'application/json; charset=utf-8';
/** The cost of an export beside the request itself, because it reads every game of the player. */
const POINTS = 19;

@Controller('api/account/export')
@Authenticated()
export class AccountExportController {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly exports: AccountExportsService,
    private readonly clock: Clock,
    private readonly allowance: RequestAllowance,
  ) {}

  @Get()
  async download(
    @SignedIn() player: ActingPlayer,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { playerId } = player;
    const response = reply.raw;
    if (request.method === 'HEAD') return void reply.type(JSON_TYPE).send();
    const seconds = this.allowance.spend(request.context, POINTS);
    if (seconds !== undefined) throw allowanceSpent('from this address', seconds);
    const day = utcDay(this.clock.now());
    try {
      const abandoned = await this.exports.write(player, (pieces) => {
        response.setHeader('Content-Type', JSON_TYPE);
        response.setHeader('Content-Disposition', `attachment; filename="tic-tac-toe-${day}.json"`);
        return answerInPieces(response, pieces);
      });
      reply.hijack();
      const { id: requestId } = player.request;
      if (abandoned) {
        return this.logger.log({ event: 'export_given_up', requestId, reason: abandoned, playerId });
      }
      response.end();
      this.logger.log({ event: 'account_exported', requestId, playerId });
    } catch (problem) {
      if (!response.headersSent) {
        response.removeHeader('Content-Disposition');
        throw problem;
      }
      // Break the connection, so that the client does not take half a document for the whole.
      reply.hijack();
      response.destroy();
      logFailure(this.logger, problem, { id: player.request.id, playerId }, 'export_failed');
    }
  }
}

/** How long the client may take to read one piece and the whole answer, in milliseconds. */
const LIMITS = { piece: 10_000, whole: 300_000 };

/**
 * Writes pieces at the client's pace, so that only one is in memory. The caller ends the response. Nothing is written
 * before the first piece exists, so that an error until then gets a normal answer.
 * @returns why the answer has no end, if it has none
 */
export async function answerInPieces(
  response: ServerResponse,
  pieces: AsyncIterable<string>,
  limits = LIMITS,
): Promise<'gone' | 'too_slow' | undefined> {
  let late = false;
  const giveUp = () => {
    late = true;
    response.destroy();
  };
  const whole = setTimeout(giveUp, limits.whole);
  response.setTimeout(limits.piece, giveUp);
  try {
    await pipeline(pieces, response, { end: false });
    return undefined;
  } catch (problem) {
    if (!response.destroyed) throw problem;
    return late ? 'too_slow' : 'gone';
  } finally {
    clearTimeout(whole);
  }
}
