import { moduleRecords } from '@portal/contracts/module-records'
import { picturesOf } from '@portal/contracts/record-sheet'
import { auditRead } from '../kit/audit/reads.ts'
import { FileAnswer } from '../kit/files/files.ts'
import { acceptPicture } from '../kit/files/picture-file.ts'
import { notFound, Refusal } from '../kit/http/refusals.ts'
import { type App, type Call, serve } from '../kit/http/serve.ts'
import { openFor, orServer } from './keepers.service.ts'
import { say } from './messages.ts'
import {
  addPicture,
  expectRoom,
  expectSeen,
  findPicture,
  type PicturePlace,
  type Sender,
} from './record-pictures.service.ts'
import type { Declared, Shelf } from './shelves.ts'

/** The pictures of records: sent before the record that names them, and read with the rights to its collection. */
export function pictureRoutes(app: App) {
  const forServers = orServer(app.db)
  serve(
    app,
    moduleRecords.sendPicture,
    async (call) => {
      const { db, storage, settings, params, body } = call
      const { place, by, declared } = await opened(call, params, 'write')
      if (!picturesOf(declared).length) throw notFound()
      const mostMiB = settings.modulePicturesMiB
      // A file is not even read if there is no room for it; whether there still is says the transaction that records it.
      await expectRoom(db, place, by, mostMiB)
      const accepted = await acceptPicture(storage, body.file)
      const picture = await addPicture(db, place, by, { ...accepted, mostMiB })
      return { message: say.pictureSent, picture }
    },
    forServers,
  )
  serve(
    app,
    moduleRecords.picture,
    async (call) => {
      const { db, storage, author, params, query } = call
      const { picture: id, ...shelf } = params
      const { place, by, sees } = await openedToRead(call, shelf)
      const found = expectSeen(await findPicture(db, place, by, { id, ...query }), sees)
      // Lists draw the small ones. Whoever looks at a picture is in the audit log, as for a document.
      if (query.size === 'full' && found.record_id !== null && place.sandbox === null)
        await auditRead(db, author, 'opened', 'module record', found.record_id, { ...shelf, picture: id })
      return new FileAnswer(await storage.read(found.key), `${shelf.collection}-${id}.jpg`, 'image/jpeg')
    },
    forServers,
  )
}

type OpenedPlace = { place: PicturePlace; by: Sender; declared: Declared }

/** The place of pictures, and who asks: what a person or a server needs for the records needs whoever wants their pictures. */
async function opened(call: Call, shelf: Shelf, act: 'read' | 'write'): Promise<OpenedPlace> {
  const found = await openFor(call, shelf, act)
  if (found.sandbox) {
    const by = { user_id: call.actor.id, token: null }
    return { place: found.sandbox, by, declared: found.sandbox.declared }
  }
  return { place: { shelf, sandbox: null }, by: found.by, declared: found.keying.declared }
}

/** A person who may write records but not read them sees only pictures that she sent herself and that are in no record yet. */
async function openedToRead(call: Call, shelf: Shelf) {
  try {
    return { ...(await opened(call, shelf, 'read')), sees: 'all' as const }
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.status !== 403) throw refusal
    return { ...(await opened(call, shelf, 'write')), sees: 'own' as const }
  }
}
