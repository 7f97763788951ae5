// src/tls/certificates.ts
import { generateKeyPair, randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { hostname } from "node:os";
import { promisify } from "node:util";
import forge from "node-forge";
var AUTHORITY_YEARS = 10;
var SERVER_DAYS = 397;
var DAY = 864e5;
async function issueAuthority() {
  const pair = await newKeyPair();
  const name = [{ name: "commonName", value: `Mockademy local authority (${hostname()})` }];
  const certificate = draft(pair.publicKey, AUTHORITY_YEARS * 365);
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: "basicConstraints", cA: true, pathLenConstraint: 0, critical: true },
    { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    { name: "subjectKeyIdentifier" }
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(pair.privateKey), forge.md.sha256.create());
  return { certificate: forge.pki.certificateToPem(certificate), key: pair.privateKey };
}
async function serverCertificate(authority, hosts) {
  const pair = await newKeyPair();
  const issuer = forge.pki.certificateFromPem(authority.certificate);
  const certificate = draft(pair.publicKey, SERVER_DAYS);
  certificate.setSubject([{ name: "commonName", value: "localhost" }]);
  certificate.setIssuer(issuer.subject.attributes);
  const names = [.../* @__PURE__ */ new Set(["localhost", "127.0.0.1", "::1", ...hosts])];
  certificate.setExtensions([
    { name: "basicConstraints", cA: false, critical: true },
    { name: "keyUsage", digitalSignature: true, keyEncipherment: true, critical: true },
    { name: "extKeyUsage", serverAuth: true },
    {
      name: "subjectAltName",
      altNames: names.map((host) => isIP(host) ? { type: 7, ip: host } : { type: 2, value: host })
    },
    { name: "authorityKeyIdentifier", keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes() }
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(authority.key), forge.md.sha256.create());
  return { cert: forge.pki.certificateToPem(certificate), key: pair.privateKey };
}
var newKeyPair = () => promisify(generateKeyPair)("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" }
});
function draft(publicKey, days) {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = `01${randomBytes(15).toString("hex")}`;
  certificate.validity.notBefore = new Date(Date.now() - DAY);
  certificate.validity.notAfter = new Date(Date.now() + (days - 1) * DAY);
  return certificate;
}
export {
  issueAuthority,
  serverCertificate
};
