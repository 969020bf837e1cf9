import assert from 'node:assert/strict';
import { replaceKeys } from '../../../src/secrets/keyReplacement.ts';
import { findSecrets } from '../../../src/secrets/secretFinder.ts';

/** Lines of files of settings, and of code, with a value that looks real. */
const PASSWORDS: readonly string[] = [
  'DB_PASSWORD=Hk82jd7Qw',
  'DB_PASSWORD="Hk82jd7Qw"',
  "export MAIL_PASSWD='r4t-9Lq!z'",
  'spring.datasource.password=Zt7#pk29Lm',
  'spring.datasource.password = Zt7#pk29Lm',
  '  password: Zt7pk29Lm',
  '  password: "Zt7pk29Lm"  # of the staging server',
  "    passwd: 'qW8rT2yU'",
  'password: p4r7y!time # staging',
  '3:DB_PASSWORD=Zt7pk29Lm',
  '.env:3:DB_PASSWORD=Zt7pk29Lm',
  '     1→DB_PASSWORD=Zt7pk29Lm',
  '     1\tDB_PASSWORD=Zt7pk29Lm',
  '+DB_PASSWORD=Zt7pk29Lm',
  '-  password: Zt7pk29Lm',
  'DB_PASSWORD=Zt7pk29Lm npm start',
  'docker run -e DB_PASSWORD=Zt7pk29Lm image',
  'PGPASSWORD=Zt7pk29Lm psql',
  '- POSTGRES_PASSWORD=Zt7pk29Lm',
  '      - MYSQL_ROOT_PASSWORD=Zt7pk29Lm',
  'ENV ADMIN_PASSWORD=Zt7pk29Lm',
  'set SMTP_PWD=Zt7pk29Lm',
  '{ "password": "Zt7pk29Lm" }',
  '{"clientSecret":"9f8e7d6c5b4a3f2e1d0c"}',
  '{ "client_secret" : "GOCS-a1b2c3d4e5f6" }',
  'secret = "k3J8s2Lq9Zx4"',
  'secret_key = "k3J8s2Lq9Zx4"',
  'SECRET_KEY = "9w$8vq+2l&a0xx#k"'.replace('xx', 'zy'),
  "app.secret='k3J8s2Lq9Zx4'",
  'passphrase: "c0rrect-h0rse-9"',
  'const password = "Zt7pk29Lm";',
  "$db_password = 'Zt7pk29Lm';",
  ':password => "Zt7pk29Lm"',
  'PASSWORD := "Zt7pk29Lm"',
  'Password=Zt7pk29Lm\r',
];

/** Lines of files of settings, code, and documentation without a password. */
const HARMLESS: readonly string[] = [
  'DB_PASSWORD=',
  'DB_PASSWORD=""',
  'DB_PASSWORD=changeme',
  'DB_PASSWORD=changeme123!9',
  'DB_PASSWORD=password',
  'DB_PASSWORD=password123',
  'DB_PASSWORD=your-password-1-here-2',
  'DB_PASSWORD=<your password>',
  `DB_PASSWORD=\${DB_PASSWORD}`,
  'DB_PASSWORD=$DB_PASSWORD1',
  'DB_PASSWORD=$(cat /run/secrets/db1)',
  'DB_PASSWORD=%DB_PASSWORD1%',
  'DB_PASSWORD={{ vault_db_password_1 }}',
  'DB_PASSWORD=xxxxxxxx1x2',
  'DB_PASSWORD=********',
  'password: !vault |',
  'password: *db1pass2',
  `password: "\${{ secrets.DB_PASSWORD_1 }}"`,
  'password: ENC(a1b2c3d4e5f6)',
  'password: vault:secret/data/db#a1b2',
  'password: arn:aws:secretsmanager:eu-1:123:x2y',
  'passwordFile: /run/secrets/db1pass2',
  'secret: /run/secrets/db1/x2',
  'password: string;',
  'password: z.string().min(8).max(128)',
  'password?: string | undefined',
  'const password = process.env.DB_PASSWORD_2;',
  'password = os.environ["DB_PASSWORD_1"]',
  'password = getpass.getpass("Password 1: ")',
  'const secret = crypto.randomBytes(32).toString("base64")',
  'secret = sha256(x1y2)',
  'password = user1',
  'password = options2password1',
  'const password = await read(input1, 32);',
  'if (password === other2value1) return;',
  '"password": "Mot de passe 1 ou 2"',
  '"password": "Passwort (8 bis 64 Zeichen)"',
  '"secretName": "db-credentials-v1-2"',
  '"passwordHint": "a1b2c3d4e5"',
  'secretKeyRef: { name: db1, key: p2 }',
  'the password is chosen by the user: 8 to 64 characters',
  'password: "test1234!a"',
  "password: 'S3cret!example1'",
  'pwd=/srv/team1/project2',
  'PWD=/srv/app1/v2',
  'cd "$OLDPWD1" && pwd',
  'resetPassword: true',
  'min_password_length = 12',
];

describe('passwords in a text', () => {
  for (const text of PASSWORDS) {
    it(`are found in “${text.trim()}”`, async () => {
      assert.deepEqual(await findSecrets(`first line\n${text}\nlast line`), ['password']);
    });
  }

  for (const text of HARMLESS) {
    it(`are not found in “${text}”`, async () => assert.deepEqual(await findSecrets(`first\n${text}\nlast`), []));
  }

  it('are removed from an export, and the rest of the text is kept', () => {
    const { text, count } = replaceKeys('# settings\nDB_PASSWORD=Zt7pk29Lm\nPORT=8080\n', '…');
    assert.deepEqual([count, text.includes('Zt7pk29Lm')], [1, false]);
    assert.match(text, /^# settings\n[\s\S]*\nPORT=8080\n$/);
  });
});
