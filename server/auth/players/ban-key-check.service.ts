import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { BackgroundWork } from '../../database/background-work.js';
import { BanKeyUnreadableError, banKeys, Bans } from './bans.js';

const INTERVAL = 10 * 60 * 1000;

/** Looks whether the key of the bans can be opened, because nothing else fails when it cannot. */
@Injectable()
export class BanKeyCheck implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Bans');
  private readonly work = new BackgroundWork('ban_key_check', INTERVAL, () => this.check());
  private isReadable = true;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly bans: Bans,
  ) {}

  onApplicationBootstrap(): void {
    banKeys.offer('bans', () => this.isReadable);
    this.work.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.work.stop();
  }

  private async check(): Promise<void> {
    try {
      await this.bans.openKey(this.database.manager);
      this.isReadable = true;
    } catch (error) {
      if (!(error instanceof BanKeyUnreadableError)) throw error;
      this.isReadable = false;
      this.logger.error({ event: 'ban_key_unreadable', during: 'check' });
    }
  }
}
