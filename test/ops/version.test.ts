import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { currentVersion, filesWithVersion, nextVersion, versionsIn } from '../../scripts/release/version.js';

const NOW = currentVersion();

describe('The version', () => {
  test('is the same in every file that names it', () => {
    const files = filesWithVersion();

    expect(files).toEqual(
      expect.arrayContaining(['Dockerfile', 'docker-compose.yml', 'package-lock.json', 'package.json']),
    );
    for (const file of files) {
      expect([file, ...new Set(versionsIn(readFileSync(file, 'utf8')))]).toEqual([file, NOW]);
    }
    expect(versionsIn(readFileSync('package-lock.json', 'utf8'))).toHaveLength(2);
  });

  test('grows by one at the place of the level', () => {
    expect(['major', 'minor', 'patch'].map((level) => nextVersion('0.1.9', level as 'major'))).toEqual([
      '1.0.0',
      '0.2.0',
      '0.1.10',
    ]);
  });
});
