import { type DynamicModule, Module } from '@nestjs/common';
import { Clock } from './clock.js';
import { Env } from './env.js';
import { Keys } from './keys/keys.js';
import { PlayerChanges } from './player-changes.js';
import { Shutdown } from './shutdown.js';

/** Provides the settings, the clock, the keys and the shutdown to every module. */
@Module({})
export class SettingsModule {
  static with(env: Env): DynamicModule {
    return {
      module: SettingsModule,
      global: true,
      providers: [{ provide: Env, useValue: env }, Clock, Keys, PlayerChanges, Shutdown],
      exports: [Env, Clock, Keys, PlayerChanges, Shutdown],
    };
  }
}
