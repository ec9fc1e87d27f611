import { say as sentence, type Text } from '@portal/contracts/sentences'

/** The sentences of modules, in both languages. */
export const say = {
  enabled: { en: 'Module enabled', fr: 'Module activé' },
  disabled: { en: 'Module disabled', fr: 'Module désactivé' },
  rolledBack: { en: 'Module rolled back', fr: 'Version précédente du module rétablie' },
  moved: {
    en: 'Something was published or changed meanwhile. Look at the modules again before you decide.',
    fr: 'Quelque chose a été publié ou modifié entre-temps. Regardez de nouveau les modules avant de décider.',
  },
  nothingBefore: {
    en: 'There is no earlier version of this module to go back to.',
    fr: 'Il n’y a pas de version antérieure de ce module à rétablir.',
  },
  doesNotFit: (reason: string): Text => ({
    en: `The earlier version cannot be brought back, because it does not fit what is live now: ${reason}`,
    fr: `La version antérieure ne peut pas être rétablie, car elle ne convient pas à ce qui est en service. Le motif, pour son équipe, en anglais : ${reason}`,
  }),
  admitted: {
    en: 'Version admitted. Its team can make it live now.',
    fr: 'Version admise. Son équipe peut maintenant la mettre en service.',
  },
  admittedIsolated: {
    en: 'Somebody else has admitted this version meanwhile, and it runs in a frame of its own. You can change where it runs in the list of versions.',
    fr: 'Quelqu’un d’autre a admis cette version entre-temps, et elle s’exécute dans un cadre à part. Vous pouvez changer où elle s’exécute dans la liste des versions.',
  },
  admittedTrusted: {
    en: 'Somebody else has admitted this version meanwhile, and it runs in the portal’s own page. You can change where it runs in the list of versions.',
    fr: 'Quelqu’un d’autre a admis cette version entre-temps, et elle s’exécute dans la page même du portail. Vous pouvez changer où elle s’exécute dans la liste des versions.',
  },
  trusted: {
    en: 'Version trusted. It runs in the portal’s own page from now on.',
    fr: 'Version reconnue fiable. Elle s’exécute désormais dans la page même du portail.',
  },
  isolated: {
    en: 'Version isolated. It runs in a frame of its own from now on.',
    fr: 'Version isolée. Elle s’exécute désormais dans un cadre à part.',
  },
  trustedAtAdmission: {
    en: 'This version waits for admission. Decide there where it runs.',
    fr: 'Cette version attend une admission. Décidez à ce moment-là où elle s’exécute.',
  },
  notAdmitted: (reason: string): Text => ({
    en: `This version cannot be admitted. For its team: ${reason}`,
    fr: `Cette version ne peut pas être admise. Pour son équipe, en anglais : ${reason}`,
  }),
  waitsForAdmission: (version: string): Text => ({
    en: `Version ${version} has not been admitted. Admit it under Modules first, then roll back.`,
    fr: `La version ${version} n’a pas été admise. Admettez-la d’abord sous Modules, puis rétablissez-la.`,
  }),
  filesGone: {
    en: 'The files of the earlier version are no longer as they were published. Ask its team for a new version.',
    fr: 'Les fichiers de la version antérieure ne sont plus tels qu’ils ont été publiés. Demandez une nouvelle version à son équipe.',
  },
  received: { en: 'Received', fr: 'Reçu' },
  recordSaved: { en: 'Saved', fr: 'Enregistré' },
  recordDeleted: { en: 'Deleted', fr: 'Supprimé' },
  recordTooLarge: {
    en: 'A record may hold at most 20 KB.',
    fr: 'Une fiche peut contenir au plus 20 Ko.',
  },
  recordField: (label: Text, fault: string): Text => ({
    en: `${label.en}: ${sentence(fault, 'en')}`,
    fr: `${label.fr} : ${sentence(fault, 'fr')}`,
  }),
  recordFieldUnknown: (name: string): Text => ({
    en: `The module does not declare a field “${name}”.`,
    fr: `Le module ne déclare pas de champ « ${name} ».`,
  }),
  referenceUnknown: (label: Text, to: string): Text => {
    const unseen: Record<string, Text> = {
      school: {
        en: 'There is no such school, or you may not see it.',
        fr: 'Cet établissement n’existe pas, ou vous n’avez pas le droit de le voir.',
      },
      student: {
        en: 'There is no such student, or you may not see her.',
        fr: 'Cette élève n’existe pas, ou vous n’avez pas le droit de la voir.',
      },
      case: {
        en: 'There is no such case, or you may not see it.',
        fr: 'Ce dossier n’existe pas, ou vous n’avez pas le droit de le voir.',
      },
    }
    return { en: `${label.en}: ${unseen[to]?.en}`, fr: `${label.fr} : ${unseen[to]?.fr}` }
  },
  referencesUnseen: (to: string): Text => {
    const unseen: Record<string, Text> = {
      school: { en: 'You may not see schools.', fr: 'Vous n’avez pas le droit de voir les établissements.' },
      student: { en: 'You may not see students.', fr: 'Vous n’avez pas le droit de voir les élèves.' },
    }
    return unseen[to] ?? { en: 'You may not see these.', fr: 'Vous n’avez pas le droit de les voir.' }
  },
  pictureSent: { en: 'Picture received', fr: 'Image reçue' },
  pictureUnknown: (label: Text): Text => ({
    en: `${label.en}: This picture is not there any more, or belongs to another record. Choose it again.`,
    fr: `${label.fr} : Cette image n’est plus là, ou appartient à une autre fiche. Choisissez-la de nouveau.`,
  }),
  picturesWaiting: (most: number): Text => ({
    en: `You have sent ${most} pictures that are in no record. Save your records, or try again tomorrow.`,
    fr: `Vous avez envoyé ${most} images qui ne sont dans aucune fiche. Enregistrez vos fiches, ou réessayez demain.`,
  }),
  picturesFull: (most: number): Text => ({
    en: `The pictures of this collection take up ${most} MB, and this portal keeps no more. Delete some, or write to the team of the module.`,
    fr: `Les images de cette collection occupent ${most} Mo, et ce portail n’en garde pas davantage. Supprimez-en, ou écrivez à l’équipe du module.`,
  }),
  recordsInSorting: {
    en: 'This list is being sorted anew after an update of its module. Try again in a minute.',
    fr: 'Cette liste est en cours de tri après une mise à jour de son module. Réessayez dans une minute.',
  },
  token: {
    en: 'Send a token of this module that is neither revoked nor expired, as Authorization: Bearer.',
    fr: 'Envoyez un jeton de ce module qui n’est ni révoqué ni expiré, sous la forme Authorization: Bearer.',
  },
  tokenCreated: {
    en: 'The token was made. Copy it now: it is not shown again.',
    fr: 'Le jeton a été créé. Copiez-le maintenant : il ne sera plus affiché.',
  },
  tokenRevoked: { en: 'The token was revoked.', fr: 'Le jeton a été révoqué.' },
  tokenRevokedBefore: { en: 'This token was revoked before.', fr: 'Ce jeton est déjà révoqué.' },
  tokenMayNot: {
    en: 'This token was not made for that: ask an administrator of the portal for one with the right to this collection.',
    fr: 'Ce jeton n’a pas été créé pour cela : demandez à un administrateur du portail un jeton qui a droit à cette collection.',
  },
  collectionUnknown: (name: string): Text => ({
    en: `The live version of the module has no collection “${name}”.`,
    fr: `La version en service du module n’a pas de collection « ${name} ».`,
  }),
  collectionFull: (most: string): Text => ({
    en: `This collection holds ${most} records, and this portal keeps no more. Delete some, or write to the team of the module.`,
    fr: `Cette collection contient ${most} fiches, et ce portail n’en garde pas davantage. Supprimez-en, ou écrivez à l’équipe du module.`,
  }),
  flagDecided: {
    en: 'Decided. It counts when the module is loaded the next time.',
    fr: 'C’est décidé. Cela compte au prochain chargement du module.',
  },
  settingsChanged: {
    en: 'Saved. It counts when the module is loaded the next time.',
    fr: 'C’est enregistré. Cela compte au prochain chargement du module.',
  },
  settingUnknown: (name: string): Text => ({
    en: `The module does not declare a setting “${name}”.`,
    fr: `Le module ne déclare pas de réglage « ${name} ».`,
  }),
  flagForNobody: {
    en: 'Choose roles, or a share of the people.',
    fr: 'Choisissez des rôles, ou une part des personnes.',
  },
  noticeSent: (people: number): Text =>
    people === 1
      ? { en: 'One person was told.', fr: 'Une personne a été avertie.' }
      : { en: `${people} people were told.`, fr: `${people} personnes ont été averties.` },
  noticeForNobody: {
    en: 'Nobody was told: everybody concerned knows of it already.',
    fr: 'Personne n’a été averti : toutes les personnes concernées le savent déjà.',
  },
  noticeOfSandbox: {
    en: 'This record is in your sandbox, so nobody was told.',
    fr: 'Cette fiche est dans votre bac à sable : personne n’a été averti.',
  },
  noticeUnknown: (id: string): Text => ({
    en: `The live version of the module declares no notice “${id}”.`,
    fr: `La version en service du module ne déclare pas d’avis « ${id} ».`,
  }),
  noticesSpent: {
    en: 'Nobody was told: this module may write {0} lines a day into the bells of people, and would have written more today.',
    fr: 'Personne n’a été averti : ce module peut écrire {0} lignes par jour dans les cloches, et en aurait écrit davantage aujourd’hui.',
  },
  sandboxOpened: { en: 'Sandbox opened', fr: 'Bac à sable ouvert' },
  sandboxEmptied: { en: 'Sandbox emptied', fr: 'Bac à sable vidé' },
  sandboxFull: {
    en: 'A sandbox holds at most 500 records. Delete some, or empty it.',
    fr: 'Un bac à sable contient au plus 500 fiches. Supprimez-en, ou videz-le.',
  },
  sandboxNotImported: {
    en: 'Nothing is imported into a sandbox: its records are for trying the page.',
    fr: 'On n’importe rien dans un bac à sable : ses fiches servent à essayer la page.',
  },
  moduleNotLive: {
    en: 'The module is no longer in use, or no longer has this collection. Nothing was saved.',
    fr: 'Le module n’est plus en service, ou n’a plus cette collection. Rien n’a été enregistré.',
  },
  importTooLarge: (kept: number, adds: number, most: number): Text => ({
    en: `This collection holds ${kept} records, and this portal keeps at most ${most}: ${adds} more do not fit. Leave rows out, or delete records.`,
    fr: `Cette collection contient ${kept} fiches, et ce portail en garde au plus ${most} : ${adds} de plus n’y tiennent pas. Laissez des lignes de côté, ou supprimez des fiches.`,
  }),
  importedBefore: (day: string, made: number): Text => ({
    en: `This very file was imported on ${day} and made ${made} new records, which would be there twice. To add more, write them into a new file.`,
    fr: `Ce même fichier a été importé le ${day} et a créé ${made} nouvelles fiches, qui seraient alors en double. Pour en ajouter, écrivez-les dans un nouveau fichier.`,
  }),
  sandboxNotExported: {
    en: 'Records of a sandbox are not exported: they are for trying the page.',
    fr: 'Les fiches d’un bac à sable ne s’exportent pas : elles servent à essayer la page.',
  },
  sandboxHasNoChanges: {
    en: 'A sandbox does not say what has changed: that is for servers, which read the live records.',
    fr: 'Un bac à sable ne dit pas ce qui a changé : c’est pour les serveurs, qui lisent les fiches en service.',
  },
  changesForgotten: (days: string): Text => ({
    en: `The portal remembers deleted records for ${days} days. Leave “since” out, and read all records anew.`,
    fr: `Le portail se souvient des fiches supprimées pendant ${days} jours. Omettez « since » et relisez toutes les fiches.`,
  }),
  backendAddress: {
    en: 'The portal may not call the server of this module: its address is inside of the network, or has no https. Tell an administrator.',
    fr: 'Le portail ne peut pas appeler le serveur de ce module : son adresse est à l’intérieur du réseau, ou n’est pas en https. Prévenez un administrateur.',
  },
  callerNotInUse: {
    en: 'This version of the module may not make calls, because it is no longer in use. Reload the page.',
    fr: 'Cette version du module ne peut pas faire d’appels, car elle n’est plus en service. Rechargez la page.',
  },
  callNotNamed: (module: string): Text => ({
    en: `The module ${module} may not make this call, because its manifest does not name it.`,
    fr: `Le module ${module} ne peut pas faire cet appel, car son manifeste ne le nomme pas.`,
  }),
  recordChanged: {
    en: 'Somebody else has changed this meanwhile. Load it again before you save.',
    fr: 'Quelqu’un d’autre a modifié ceci entre-temps. Rechargez avant d’enregistrer.',
  },
} satisfies Record<string, Text | ((...parts: never[]) => Text)>
