/**
 * Takes the connections between browsers (WebRTC) out of this window before a module runs. They can reach any server, and browsers
 * do not hold them to the policy of the page: Chromium does not know `webrtc 'block'`. A frame without an origin cannot reach into
 * another window, and in a frame inside of it (`srcdoc`) the policy lets no script run but this loader (`lettingIn` of the sdk).
 */
export function removePeerConnections(window: object): void {
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'mozRTCPeerConnection'])
    Reflect.deleteProperty(window, name)
}
