import { geography } from '@portal/contracts/registers/geography'
import { takeImport } from '../imports/imports.service.ts'
import { type App, serve } from '../kit/http/serve.ts'
import {
  findPlaces,
  listBoundaries,
  listLocations,
  readLocation,
  updateLocation,
} from './geography.service.ts'
import { text } from './messages.ts'
import { readOptions } from './references.service.ts'

/** The calls on geography. */
export function geographyRoutes(app: App) {
  serve(app, geography.locations, ({ db, query }) => listLocations(db, query))
  serve(app, geography.readLocation, async ({ db, params }) => ({
    location: await readLocation(db, params.id),
  }))
  serve(app, geography.updateLocation, async ({ db, actor, params, body }) => ({
    message: text.locationUpdated,
    location: await updateLocation(db, actor, params.id, body),
  }))
  serve(app, geography.importLocations, (call) =>
    takeImport(call, call.actor, {
      kind: 'locations',
      file: call.body.locations_file,
      review: call.query.review,
      headings: call.body.headings,
    }),
  )
  serve(app, geography.boundaries, ({ db, query }) => listBoundaries(db, query))
  serve(app, geography.options, ({ db, locale }) => readOptions(db, locale))
  serve(app, geography.places, ({ db, query }) => findPlaces(db, query.search))
}
