import type { InputEvent } from 'react';
import { withinLength } from '../../game/text.js';

/** Keeps what is typed within a length as the server counts it. `maxlength` counts an emoji twice, and halves a flag. */
export const within =
  (most: number) =>
  ({ currentTarget: field, nativeEvent }: InputEvent<HTMLInputElement>) => {
    const kept = withinLength(field.value, most);
    if (!nativeEvent.isComposing && kept !== field.value) field.value = kept;
  };
