/** Adds two numbers in WebAssembly. */
export async function add(a: number, b: number): Promise<number> {
  const file = fetch(new URL('./add.wasm', import.meta.url))
  const { instance } = await WebAssembly.instantiateStreaming(file)
  return (instance.exports.add as (a: number, b: number) => number)(a, b)
}
