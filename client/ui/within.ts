import type { InputEvent } from 'react';
import { withinLength } from '../../game/text.js';

/** Keeps what is typed within a length as the server counts it. `maxlength` counts an emoji twice, and halves a flag. */
export const within =
  (most: number) =>
  ({ currentTarget: field, nativeEvent }: InputEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    const kept = withinLength(field.value, most);
    // An unfinished word of an input method gets shorter.
    if (nativeEvent.isComposing || kept === field.value) return;
    const caret = field.selectionStart;
    field.value = kept;
    field.setSelectionRange(caret, caret);
  };
