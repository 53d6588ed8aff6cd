import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';
import { AuthGuard } from '@nestjs/passport';
import { Env } from '../../settings/env.js';
import { prefersHtml } from '../../web/requests/request.js';
import { type Network, networksOf } from '../../limits/network.js';
import { NetworkHash } from '../../web/requests/client-address.js';
import { RefusalLog } from '../../web/answers/refusal-log.js';
import { failureOf, providerOf, reasonOf, signInFailed } from './sign-in-failed.js';
import { Refusal } from '../../web/answers/refusals.js';
import type { ProviderName } from '../players/profile.js';
import type { ProviderRequest } from './provider.strategy.js';
import { ProvidersService } from './providers.service.js';
import { signInRefusal } from './refusals.js';

type StartRequest = FastifyRequest<{ Querystring: Readonly<Record<string, unknown>> }>;

/** Requires that our page or the address bar starts a sign-in, and that it carries a PKCE challenge. */
@Injectable()
export class SignInStartGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers, query } = context.switchToHttp().getRequest<StartRequest>();
    if (![undefined, 'same-origin', 'none'].includes(headers['sec-fetch-site'])) {
      throw new Refusal('forbidden', 'A sign-in cannot be started from another site.');
    }
    const { code_challenge: challenge, code_challenge_method: method } = query;
    if (method !== 'S256' || typeof challenge !== 'string' || !/^[\w-]{43}$/.test(challenge)) {
      const error = 'A sign-in needs code_challenge (43 characters) and code_challenge_method=S256.';
      throw new Refusal('bad_request', error);
    }
    return true;
  }
}

const MINUTE_SECONDS = 60;
/** The points of a try. A network of two or four times the size pays a half or a quarter of them. */
const TRY = 4;

/** Limits the sign-ins of a network in a minute. The database counts them, so that all servers share the limit. */
@Injectable()
export class SignInRateGuard implements CanActivate {
  private readonly limiter: RateLimiterPostgres | undefined;

  constructor(
    env: Env,
    private readonly hashes: NetworkHash,
    private readonly refusals: RefusalLog,
    dataSource: DataSource,
  ) {
    const limit = { points: env.signInsPerMinute * TRY, duration: MINUTE_SECONDS };
    if (limit.points === 0) return;
    this.limiter = new RateLimiterPostgres({
      ...limit,
      storeClient: dataSource,
      storeType: 'typeorm',
      tableName: 'sign_in_tries',
      tableCreated: true,
      // `SignInCleanup` deletes old rows.
      clearExpiredByTimeout: false,
      insuranceLimiter: new RateLimiterMemory(limit),
    });
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    try {
      // Narrowest first, so that a refusal there costs the wider networks nothing.
      for (const network of networksOf(request.context.address)) {
        await this.limiter?.consume(this.keyFor(context.getHandler().name, network), TRY / network.size);
      }
      return true;
    } catch (refusal) {
      const retryAfter = Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000) || 1;
      // A browser that navigates would show the JSON, so the page must show the message.
      if (request.method === 'GET' && prefersHtml(request)) {
        this.refusals.note({ event: 'refused', status: 429, code: 'too_many_sign_ins' }, request.context);
        void http.getResponse<FastifyReply>().header('Retry-After', String(retryAfter));
        throw signInFailed('too_many_sign_ins');
      }
      throw signInRefusal('too_many_sign_ins', `Too many sign-ins. Try again in ${retryAfter} seconds.`, {
        retryAfter,
      });
    }
  }

  /** Counts the steps of a sign-in apart. Only a keyed hash of the network is stored. */
  private keyFor(step: string, network: Network): string {
    return `${step}:${this.hashes.ofNetwork(network)}`;
  }
}

function guardOf(provider: ProviderName, providers: ProvidersService, refusals: RefusalLog): CanActivate {
  return new (class extends AuthGuard(provider) {
    override async canActivate(context: ExecutionContext): Promise<boolean> {
      // A sign-in that comes back goes on, however old the document is.
      const isBack = this.getRequest(context).routeOptions.url!.endsWith('/callback');
      await providers.prepare(provider, isBack ? Infinity : MINUTE_SECONDS * 1000);
      return super.canActivate(context) as Promise<boolean>;
    }

    override getRequest(context: ExecutionContext): ProviderRequest {
      const request = context.switchToHttp().getRequest<ProviderRequest>();
      request.reply = context.switchToHttp().getResponse<FastifyReply>();
      return request;
    }

    override handleRequest<Identity>(
      error: unknown,
      identity: Identity | false | undefined,
      info: unknown,
      context: ExecutionContext,
    ) {
      if (identity) return identity;
      // The strategy reports a denied consent as a failure, and all else as an error.
      const failed = error ? failureOf(error) : signInFailed(isDenial(info) ? 'access_denied' : 'sign_in_failed');
      const reason = error ? { reason: reasonOf(error) } : {};
      const { context: request } = this.getRequest(context);
      refusals.note({ event: 'sign_in_failed', ...providers.named(provider), code: failed.code, ...reason }, request);
      throw failed;
    }
  })();
}

function isDenial(info: unknown): boolean {
  return (info as { error?: unknown } | undefined)?.error === 'access_denied';
}

/** The addresses of a provider that is not set up answer as those of an unknown one. */
@Injectable()
export class ProviderSetUpGuard implements CanActivate {
  constructor(private readonly providers: ProvidersService) {}

  canActivate(context: ExecutionContext): boolean {
    if (!this.providers.names.includes(providerOf(context.switchToHttp().getRequest()))) throw new Refusal('not_found');
    return true;
  }
}

/** Redirects the browser to the provider, or authenticates its callback. Every failure leads to the page. */
@Injectable()
export class ProviderGuard implements CanActivate {
  private readonly guards: ReadonlyMap<ProviderName, CanActivate>;

  constructor(providers: ProvidersService, refusals: RefusalLog) {
    this.guards = new Map(providers.names.map((name) => [name, guardOf(name, providers, refusals)]));
  }

  canActivate(context: ExecutionContext) {
    return this.guards.get(providerOf(context.switchToHttp().getRequest()))!.canActivate(context);
  }
}
