import type { Text } from '@portal/contracts/sentences'

/** The sentences about messages, tokens and attendance, in both languages. */
export const text = {
  token: {
    en: 'Send a token of this portal that is not revoked, as Authorization: Bearer.',
    fr: 'Envoyez un jeton de ce portail qui n’est pas révoqué, sous la forme Authorization: Bearer.',
  },
  tokenCreated: {
    en: 'The token was made. Copy it now: it is not shown again.',
    fr: 'Le jeton a été créé. Copiez-le maintenant : il ne sera plus affiché.',
  },
  tokenRevoked: { en: 'The token was revoked.', fr: 'Le jeton a été révoqué.' },
  tokenRevokedBefore: { en: 'This token was revoked before.', fr: 'Ce jeton est déjà révoqué.' },
  shape: {
    en: 'Send {"messages": […]}, or what RapidPro, KoboToolbox or CommCare send.',
    fr: 'Envoyez {"messages": […]}, ou ce qu’envoient RapidPro, KoboToolbox ou CommCare.',
  },
  many: { en: 'Send at most 1,000 messages at once.', fr: 'Envoyez 1 000 messages au plus à la fois.' },
  large: {
    en: 'The data of one message are at most 64 KB.',
    fr: 'Les données d’un message font 64 Ko au plus.',
  },
  strange: {
    en: 'The data hold a sign that cannot be stored, or are nested too deeply.',
    fr: 'Les données contiennent un signe impossible à enregistrer, ou sont trop imbriquées.',
  },
  dedupe: {
    en: 'This submission has no id of its own, so it could not be told from a repeated one.',
    fr: 'Cet envoi n’a pas d’identifiant propre : impossible de le distinguer d’un envoi répété.',
  },
  retried: { en: 'The message is processed again.', fr: 'Le message est traité à nouveau.' },
  notFailed: {
    en: 'This message has not failed: it waits or is processed already.',
    fr: 'Ce message n’est pas en échec : il attend ou est déjà traité.',
  },
  broken: {
    en: 'Processing failed on our side. Try again, and tell us if it stays so.',
    fr: 'Le traitement a échoué de notre côté. Réessayez et signalez-le si cela persiste.',
  },
  noFigures: {
    en: 'The portal makes no figures of messages about this; change the register itself.',
    fr: 'Le portail ne tire aucun chiffre de ce type de message ; modifiez le registre lui-même.',
  },
  fault: { en: '{0}: {1}', fr: '{0} : {1}' },
} satisfies Record<string, Text>
