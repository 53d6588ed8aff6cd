import { type DynamicModule, Module } from '@nestjs/common';
import { Clock } from '../base/clock.js';
import { Env } from './env.js';
import { Keys } from './keys.js';
import { PlayerChanges } from '../base/player-changes.js';
import { Shutdown } from '../base/shutdown.js';

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
