import { type DynamicModule, Module } from '@nestjs/common';
import { Clock } from './clock.js';
import { Env } from './env.js';
import { Keys } from './keys/keys.js';
import { PlayerChanges } from './player-changes.js';

/** Provides the settings, the clock and the keys to every module. */
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
