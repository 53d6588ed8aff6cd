import { expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Clock } from '../../base/clock.js';
import type { Keys } from '../../settings/keys.js';
import { NetworkHash } from '../requests/client-address.js';
import { RefusalLog } from './refusal-log.js';

test('the refusals of one /48 leave room for those of other networks', () => {
  const lines = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const networks = new NetworkHash({ keysFor: () => [Buffer.from('key')] } as unknown as Keys);
  const log = new RefusalLog(networks, new Clock());
  const refuse = (address: string) => log.note({ event: 'refused', status: 401 }, { id: 'id', address });
  for (let part = 0; part < 2_000; part++) refuse(`2001:db8:1:${part.toString(16)}::1`);
  refuse('203.0.113.7');
  expect(lines).toHaveBeenLastCalledWith(expect.objectContaining({ network: networks.of('203.0.113.7') }));
  log.onModuleDestroy();
});
