import { once } from 'node:events';
import type { Socket } from 'node:net';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { atEnd } from './at-end.ts';
import type { TestCertificate } from './certificate.ts';

/** A message that the server has read to its end, with the addresses that it took. */
export type Mail = ParsedMail & { taken: string[]; authenticated: boolean; secure: boolean };

/** An answer that is no 2xx. */
export type Refusal = { code: number; text: string };

export type MailServer = {
  port: number;
  mails: Mail[];
  /** Users of the logins that it was asked for. */
  logins: string[];
  /** Answers to addresses from now on; null takes one. */
  onAddress: (answer: (address: string) => Refusal | null) => void;
  /** Answers to a message that the server has read: a refusal, or null once it may take it. */
  onMessage: (answer: (mail: Mail, connection: Socket) => Promise<Refusal | null>) => void;
  close: () => Promise<void>;
};

type ServerOptions = {
  /** It wants a login of `billing` with it. */
  password?: string;
  /** It offers STARTTLS. */
  certificate?: TestCertificate;
  host?: string;
};

/** A real SMTP server on this machine that keeps what it is sent. */
export async function aMailServer({
  password,
  certificate,
  host = '127.0.0.1',
}: ServerOptions = {}): Promise<MailServer> {
  const mails: Mail[] = [];
  const logins: string[] = [];
  const sockets = new Set<Socket>();
  let answerTo = (_: string): Refusal | null => null;
  let answerAbout = async (_: Mail, __: Socket): Promise<Refusal | null> => null;
  const options: SMTPServerOptions = {
    authOptional: password === undefined,
    // A login on this machine needs no TLS.
    ...{
      disabledCommands: certificate === undefined ? ['STARTTLS'] : [],
      allowInsecureAuth: true,
      logger: false,
    },
    ...certificate,
    onAuth: ({ username = '', password: said }, _, done) => {
      logins.push(username);
      if (said === password) done(null, { user: username });
      else done(failure({ code: 535, text: '5.7.8 Authentication failed' }));
    },
    onRcptTo: ({ address }, _, done) => done(failure(answerTo(address))),
    onData: (stream, session, done) => {
      simpleParser(stream)
        .then(async (parsed) => {
          const taken = session.envelope.rcptTo.map(({ address }) => address);
          const mail = {
            ...parsed,
            taken,
            authenticated: session.user !== undefined,
            secure: session.secure,
          };
          mails.push(mail);
          done(failure(await answerAbout(mail, connectionOf(session))));
        })
        .catch(done);
    },
  };
  const server = new SMTPServer(options);
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => sockets.add(socket));
  const connectionOf = ({ remotePort }: SMTPServerSession) =>
    [...sockets].find((socket) => socket.remotePort === remotePort)!;
  server.listen(0, host);
  await once(server.server, 'listening');
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port');
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.server.listening) await new Promise<void>((resolve) => server.close(resolve));
  };
  atEnd(close);
  return {
    port: address.port,
    mails,
    logins,
    onAddress: (answer) => (answerTo = answer),
    onMessage: (answer) => (answerAbout = answer),
    close,
  };
}

function failure(refusal: Refusal | null): (Error & { responseCode: number }) | null {
  return refusal === null ? null : Object.assign(new Error(refusal.text), { responseCode: refusal.code });
}
