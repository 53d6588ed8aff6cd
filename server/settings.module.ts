import { type DynamicModule, Module } from '@nestjs/common';
import { Clock } from './clock.js';
import { Env } from './env.js';
import { Keys } from './keys.js';
import { PlayerChanges } from './player-changes.js';

/** The settings, the clock and the keys, for every module. */
@Module({})
export class SettingsModule {
  static with(env: Env): DynamicModule {
    return {
      module: SettingsModule,
      global: true,
      providers: [{ provide: Env, useValue: env }, Clock, Keys, PlayerChanges],
      exports: [Env, Clock, Keys, PlayerChanges],
    };
  }
}
