import { Observed, ObservedValue } from '../../base/observed.js';

export const socketsOpened = new Observed<object>('socket.opened');
/** The open sockets. */
export const openSockets = new ObservedValue<number>();
