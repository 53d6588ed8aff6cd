/** Loaded before the server (`node --import`): logs what Citus sends to its workers, which it reports as notices. */
import pg from 'pg';

/** @type {{ _handleNotice: (this: pg.Client, notice: { message?: string, detail?: string }) => void }} */
const client = /** @type {any} */ (pg.Client.prototype);
const { _handleNotice: handle } = client;

client._handleNotice = function (notice) {
  if (notice.message?.startsWith('issuing ')) {
    console.log(JSON.stringify({ event: 'remote', text: notice.message, at: notice.detail }));
  }
  handle.call(this, notice);
};
