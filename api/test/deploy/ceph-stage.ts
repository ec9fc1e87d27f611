import { openBucket } from '@portal/registry/bucket'
import pg from 'pg'
import { startAgency } from '../transfers/agencies/agency.ts'
import { startCeph } from './ceph.ts'
import { startDebianPostgres } from './debian-postgres.ts'
import { addAccount, Crowd } from './shape/crowd.ts'
import type { makePlace } from './shape/place.ts'
import { startServers } from './shape/servers.ts'

/** Ceph, and a portal on several servers whose files and modules are in it. */
export async function makeCephStage(folder: string, atEnd: ReturnType<typeof makePlace>['atEnd']) {
  const ceph = await startCeph(folder, atEnd)
  // As docs/operating says: the bucket of the files has versioning, that of the modules has not.
  const files = await ceph.makeBucket('portal-files', { versioned: true })
  await ceph.makeBucket('portal-modules')
  const { ownerUrl, appUrl } = await (await startDebianPostgres()).database('portal')
  const agency = await startAgency()
  atEnd(() => agency.close())
  const servers = await startServers({
    ...{ folder, ownerUrl, appUrl, agencyHost: agency.host, atEnd },
    settings: {
      S3_ENDPOINT: ceph.endpoint,
      S3_KEY: ceph.key,
      S3_SECRET: ceph.secret,
      S3_FILES_BUCKET: 'portal-files',
      S3_BUCKET: 'portal-modules',
    },
  })
  await servers.start()
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  atEnd(() => owner.end())
  // The registers of places are there already, by `prepare`.
  await owner.query(
    `insert into academies (region_id, name) select id, 'AE CEPH' from regions where name = 'KAYES';
    insert into caps (academy_id, name) select id, 'CAP CEPH' from academies where name = 'AE CEPH';
    insert into schools (name, admin_code, type_of_school, cap_id, academic_year)
      select 'École de Kita', 'KIT-1', 'public', id, '2026-2027' from caps where name = 'CAP CEPH';
    insert into classes (school_id, name) select id, '7A' from schools where admin_code = 'KIT-1';
    insert into reference_values (list, code, en, fr, country) values
      ('class_level', '7', 'Year 7, fundamental', '7e année, fondamentale', 'ml'), ('school_type', 'public', 'Public school', 'École publique', null),
      ('case_type', 'payment', 'Payment', 'Paiement', null), ('case_channel', 'phone', 'Phone', 'Téléphone', null) on conflict do nothing`,
  )
  const reviewer = await addAccount(owner, 'Case Reviewer')
  await owner.query(
    `insert into partners (name, user_id, partner_type, partner_since)
     select 'Sahel Aid', id, 'ngo', '2020-01-01' from users where email = $1`,
    [reviewer],
  )
  const crowd = new Crowd(servers)
  atEnd(() => crowd.stop())
  return {
    ceph,
    servers,
    owner,
    bucket: openBucket(files, 0),
    admin: await crowd.person(await addAccount(owner, 'Administrator')),
    filer: await crowd.person(reviewer),
  }
}
