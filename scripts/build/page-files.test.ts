import { expect, test } from '@jest/globals';
import { firstPaintFiles, gameFiles, loginFiles } from './page-files.js';

const MANIFEST = {
  'index.html': { file: 'index.js', imports: ['_react.js'], dynamicImports: ['App.tsx'] },
  '_react.js': { file: 'react.js' },
  'App.tsx': { file: 'App.js', imports: ['index.html', '_icons.js'], dynamicImports: ['dialogs.tsx'] },
  '_icons.js': { file: 'icons.js' },
  'dialogs.tsx': { file: 'dialogs.js', imports: ['App.tsx'] },
  'elsewhere.html': { file: 'elsewhere.js' },
};

test('the login screen loads the entry and its static imports', () => {
  expect(loginFiles(MANIFEST)).toEqual(['index.js', 'react.js']);
});

test('the game at first paint adds the imports of the game, without dialogs', () => {
  expect(firstPaintFiles(MANIFEST).sort()).toEqual(['App.js', 'icons.js', 'index.js', 'react.js']);
});

test('the whole game adds all dynamic imports, each file once', () => {
  expect(gameFiles(MANIFEST).sort()).toEqual(['App.js', 'dialogs.js', 'icons.js', 'index.js', 'react.js']);
});

test('throws an error when the manifest does not contain the page', () => {
  expect(() => loginFiles({})).toThrow('index.html');
});
