/** Hands what was fetched to the browser as a file that was downloaded. */
export function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers begin to read it only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
