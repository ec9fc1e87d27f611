import { join } from 'node:path'
import { serveGallery } from './serve.ts'

/** Starts the gallery for `npm run dev`, at GALLERY_PORT. */
await serveGallery({
  dir: join(import.meta.dirname, '../..'),
  port: Number(process.env.GALLERY_PORT ?? 5178),
  say: (line) => console.log(line),
})
