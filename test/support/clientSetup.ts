import '@testing-library/jest-dom/jest-globals';
import { i18n } from '@lingui/core';
import { configure } from '@testing-library/react';

/** A loaded machine is slow; an element that never appears still fails the test. */
configure({ asyncUtilTimeout: 20_000 });

/** English needs no catalog. */
i18n.loadAndActivate({ locale: 'en-GB', locales: 'en-GB', messages: {} });
