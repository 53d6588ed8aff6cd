import { Controller, Get, Header, HttpException } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

/** For whatever watches over the process: `live` means keep it, `ready` means send it requests. */
@Controller('health')
export class HealthController {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  @Get('live')
  @Header('Cache-Control', 'no-store')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get('ready')
  @Header('Cache-Control', 'no-store')
  async ready(): Promise<{ status: 'ready' }> {
    try {
      await this.database.query('SELECT 1');
    } catch {
      throw new HttpException({ error: 'The database cannot be reached.', code: 'database_unreachable' }, 503);
    }
    return { status: 'ready' };
  }
}
