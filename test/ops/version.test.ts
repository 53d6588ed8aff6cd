import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { notesOf, unreleasedIn, withRelease } from '../../scripts/release/changelog.js';
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

  test('has a section in the changelog, and the next one gets what is unreleased', () => {
    const changelog = readFileSync('CHANGELOG.md', 'utf8');
    expect(notesOf(changelog, NOW)).not.toBe('');
    const changed = changelog.replace(/^## Unreleased\n[^]*?^## /m, '## Unreleased\n\n- A change.\n\n## ');
    expect(unreleasedIn(changed)).toBe('- A change.');
    const released = withRelease(changed, '99.0.0', '2099-01-01');
    expect([unreleasedIn(released), notesOf(released, '99.0.0')]).toEqual(['', '- A change.']);
    expect(released).toContain('\n## 99.0.0 - 2099-01-01\n');
    // The first release has its version before its date.
    expect(withRelease(released, '99.0.0', '2099-02-02')).toBe(released.replace('2099-01-01', '2099-02-02'));
  });

  test('grows by one at the place of the level', () => {
    expect(['major', 'minor', 'patch'].map((level) => nextVersion('0.1.9', level as 'major'))).toEqual([
      '1.0.0',
      '0.2.0',
      '0.1.10',
    ]);
  });
});
