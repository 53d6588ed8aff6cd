import { type DynamicModule, Module } from '@nestjs/common';
import { Clock } from './clock.js';
import { Env } from './env.js';

/** The settings and the clock, for every module. */
@Module({})
export class SettingsModule {
  static with(env: Env): DynamicModule {
    return {
      module: SettingsModule,
      global: true,
      providers: [{ provide: Env, useValue: env }, Clock],
      exports: [Env, Clock],
    };
  }
}
