import '@testing-library/jest-dom/jest-globals';
import { configure } from '@testing-library/react';

/** A loaded machine is slow; an element that never appears still fails the test. */
configure({ asyncUtilTimeout: 20_000 });
