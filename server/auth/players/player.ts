import { Column, Entity, type EntityManager, Generated, Index, PrimaryColumn } from 'typeorm';
import { Field, ID, ObjectType } from '@nestjs/graphql';
import { cleanName } from './player-name.js';
import { pictureOf } from './picture.js';

export const PROVIDERS = ['google', 'github'] as const;
export type ProviderName = (typeof PROVIDERS)[number];
export const PROVIDER_TITLES: Readonly<Record<ProviderName, string>> = { google: 'Google', github: 'GitHub' };

/** The profile of a player, from the provider's last sign-in, and the decisions about the player. */
@Entity('players')
@Index('players_created_at', ['createdAt', 'id'])
@Index('players_name', { synchronize: false })
export class Player {
  @PrimaryColumn('uuid')
  @Generated('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** Verified by the provider. Null when it gave none. */
  @Column('text', { nullable: true })
  email!: string | null;

  /** The provider's picture, only from its own hosts. Null means the generated avatar. */
  @Column('text', { nullable: true })
  picture!: string | null;

  @Column('text')
  provider!: ProviderName;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** When a decision replaced the name, which the provider's name does not overwrite since. */
  @Column('timestamptz', { name: 'renamed_at', nullable: true })
  renamedAt!: Date | null;

  /** When a decision took the player off the boards. */
  @Column('timestamptz', { name: 'hidden_at', nullable: true })
  hiddenAt!: Date | null;

  @Column('timestamptz', { name: 'banned_at', nullable: true })
  bannedAt!: Date | null;

  /** When the ban ends by itself. Null for a ban without an end. */
  @Column('timestamptz', { name: 'banned_until', nullable: true })
  bannedUntil!: Date | null;
}

/** The profile that a provider gives. Its strings are untrusted until the functions below have cleaned them. */
export interface Profile {
  readonly issuer: string;
  readonly subject: string;
  readonly provider: ProviderName;
  readonly metadata: {
    readonly name?: string;
    readonly fullName?: string;
    readonly userName?: string;
    readonly picture?: string;
  };
  /** Present only if the provider has verified it. Null when the provider could not tell: the stored one stays. */
  readonly email?: string | null;
}

const EMAIL_LENGTH = 254;
const PICTURE_LENGTH = 512;

/** The hosts of each provider's pictures, as in a content security policy: the page's policy allows no others. */
export const PICTURE_HOSTS: Readonly<Record<ProviderName, string>> = {
  google: '*.googleusercontent.com',
  github: 'avatars.githubusercontent.com',
};

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The first usable name, otherwise the local part of the email address, otherwise 'User'. */
export function nameOf({ metadata, email }: Pick<Profile, 'metadata' | 'email'>): string {
  const candidates = [metadata.name, metadata.fullName, metadata.userName, email?.split('@')[0]];
  return candidates.map((candidate) => cleanName(candidate ?? '')).find(Boolean) ?? 'User';
}

export function emailOf({ email }: Pick<Profile, 'email'>): string | null {
  return email && email.length <= EMAIL_LENGTH && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email) ? email : null;
}

/** The picture, if it comes from the provider's own host over https. Null means the generated avatar. */
export function pictureUrlOf({
  provider,
  metadata: { picture },
}: Pick<Profile, 'provider' | 'metadata'>): string | null {
  if (!picture || picture.length > PICTURE_LENGTH || !URL.canParse(picture)) return null;
  const { protocol, host, username, password, href } = new URL(picture);
  const known = PICTURE_HOSTS[provider];
  const isKnown = known.startsWith('*') ? host.endsWith(known.slice(1)) : host === known;
  const own = protocol === 'https:' && !username && !password && isKnown;
  return own && href.length <= PICTURE_LENGTH ? href : null;
}

@ObjectType('Player', { description: 'A person with an account, as everybody sees them.' })
export class PlayerType {
  @Field(() => ID, { description: 'Never changes.' })
  id!: string;

  @Field({ description: 'The name that the provider gave at the last sign-in, at most 50 characters.' })
  name!: string;

  @Field({ description: 'The address of a picture: the provider’s, otherwise an avatar generated from the id.' })
  picture!: string;
}

export function toPlayerType(player: Player, publicOrigin: string): PlayerType {
  const { id, name } = player;
  return { id, name, picture: pictureOf(player, publicOrigin) };
}

/** Stores the profile of a sign-in, of a known player or of a new one. The name of a decision stays. */
export async function saveProfile(transaction: EntityManager, id: string, profile: Profile, now: Date): Promise<void> {
  const columns = {
    name: nameOf(profile),
    picture: pictureUrlOf(profile),
    provider: profile.provider,
    ...(profile.email !== null && { email: emailOf(profile) }),
  };
  const names = Object.keys(columns);
  const values = names.map((_, index) => `$${index + 3}`);
  const changes = names.map((name) =>
    name === 'name'
      ? 'name = CASE WHEN player.renamed_at IS NULL THEN excluded.name ELSE player.name END'
      : `${name} = excluded.${name}`,
  );
  await transaction.query(
    `INSERT INTO players AS player (id, created_at, ${names.join(', ')}) VALUES ($1, $2, ${values.join(', ')})
     ON CONFLICT (id) DO UPDATE SET ${changes.join(', ')}`,
    [id, now, ...Object.values(columns)],
  );
}

export function playerById(manager: EntityManager, id: string): Promise<Player | null> {
  return manager.getRepository(Player).findOneBy({ id });
}

const now = () => 'now()';

/** The player, locked. A sign-in waits, which reads the player before it begins a session. */
export function lockedPlayer(transaction: EntityManager, id: string): Promise<Player | null> {
  return transaction.getRepository(Player).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
}

/** Replaces the name. The provider's name does not overwrite it. */
export async function replaceName(transaction: EntityManager, id: string, name: string): Promise<void> {
  await transaction.getRepository(Player).update({ id }, { name, renamedAt: now });
}

/** The next sign-in brings the provider's name back. */
export async function allowProviderName(transaction: EntityManager, id: string): Promise<void> {
  await transaction.getRepository(Player).update({ id }, { renamedAt: null });
}

export async function setHidden(transaction: EntityManager, id: string, hidden: boolean): Promise<void> {
  await transaction.getRepository(Player).update({ id }, { hiddenAt: hidden ? now : null });
}

export async function setBanned(transaction: EntityManager, player: Player, until: Date | null): Promise<void> {
  const begin = player.bannedAt ? {} : { bannedAt: now };
  await transaction.getRepository(Player).update({ id: player.id }, { ...begin, bannedUntil: until });
}

export async function setUnbanned(transaction: EntityManager, id: string): Promise<void> {
  await transaction.getRepository(Player).update({ id }, { bannedAt: null, bannedUntil: null });
}

/** Foreign keys remove what hangs on the player alone. */
export async function removePlayer(transaction: EntityManager, id: string): Promise<void> {
  await transaction.getRepository(Player).delete({ id });
}
