// What a step of confinement throws when it cannot do its part.

/** Why a command is not started, and what to do about it, in a sentence. */
export class Refusal extends Error {}
