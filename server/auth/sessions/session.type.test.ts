import { describe, expect, test } from '@jest/globals';
import { browserName } from './session.type.js';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0';

describe('the name of a browser', () => {
  test.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`, 'Chrome on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/131.0.0.0`, 'Microsoft Edge on Windows'],
    [`Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`, 'Chrome on Android'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
      'Safari on macOS',
    ],
  ])('is made from %s', (userAgent, name) => {
    expect(browserName(userAgent)).toBe(name);
  });

  test.each([null, '', ' ', 'node', 'curl/8.5.0', '<b>Your bank</b>/1 says', 'x'.repeat(255)])(
    'is not made up from %j',
    (userAgent) => {
      expect(browserName(userAgent)).toBe('Unknown browser');
    },
  );
});
