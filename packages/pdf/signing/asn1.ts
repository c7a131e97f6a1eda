import {
  BaseBlock,
  Constructed,
  fromBER,
  Integer,
  ObjectIdentifier,
  OctetString,
  Primitive,
  UTCTime,
  type AsnType,
} from 'asn1js';

/** Thrown when bytes are not the ASN.1 structure that was expected. */
export class Asn1Error extends Error {
  override name = 'Asn1Error';
}

/** An ASN.1 value in BER or DER. The readers throw {@link Asn1Error} for a value of another type. */
export class Asn1 {
  readonly #block: AsnType;

  private constructor(block: AsnType) {
    this.#block = block;
  }

  /** Parses one value. @throws {Asn1Error} */
  static parse(bytes: Uint8Array): Asn1 {
    let parsed: ReturnType<typeof fromBER>;
    try {
      parsed = fromBER(bytes);
    } catch (cause) {
      // Deeply nested values exceed the stack.
      throw new Asn1Error('is not valid ASN.1', { cause });
    }
    if (parsed.offset === -1) throw new Asn1Error('is not valid ASN.1');
    return new Asn1(parsed.result);
  }

  /** The encoded value, as it was parsed. */
  get encoded(): Buffer {
    return Buffer.from(this.#block.valueBeforeDecodeView);
  }

  /** The tag number, for values with context-specific tags; otherwise `undefined`. */
  get contextTag(): number | undefined {
    const { tagClass, tagNumber } = this.#block.idBlock;
    return tagClass === 3 ? tagNumber : undefined;
  }

  /** The values in a constructed value. */
  get items(): Asn1[] {
    if (!(this.#block instanceof Constructed)) throw new Asn1Error('has a value of the wrong type');
    return this.#block.valueBlock.value.map((item) => new Asn1(item as AsnType));
  }

  /** Returns the value at an index of a constructed value. */
  at(index: number): Asn1 {
    const item = this.items[index];
    if (!item) throw new Asn1Error('has an incomplete structure');
    return item;
  }

  /** An object identifier in dotted notation. */
  get oid(): string {
    if (!(this.#block instanceof ObjectIdentifier)) throw new Asn1Error('has a value of the wrong type');
    return this.#block.valueBlock.toString();
  }

  /** A small integer. */
  get integer(): number {
    if (!(this.#block instanceof Integer) || this.#block.valueBlock.valueHexView.length > 6)
      throw new Asn1Error('has a value of the wrong type');
    return this.#block.valueBlock.valueDec;
  }

  get isInteger(): boolean {
    return this.#block instanceof Integer;
  }

  get isOctets(): boolean {
    return this.#block instanceof OctetString;
  }

  /** The bytes of an octet string, or of an implicitly tagged one. In BER it can consist of several. */
  get bytes(): Buffer {
    const block = this.#block;
    if (block instanceof OctetString) return Buffer.from(block.getValue());
    if (block instanceof Primitive) return Buffer.from(block.valueBlock.valueHexView);
    if (block instanceof Constructed) return Buffer.concat(this.items.map((item) => item.bytes));
    throw new Asn1Error('has a value of the wrong type');
  }

  /** A time, in epoch milliseconds. */
  get time(): number {
    if (!(this.#block instanceof UTCTime)) throw new Asn1Error('has a value of the wrong type');
    const time = this.#block.toDate().getTime();
    if (!Number.isFinite(time)) throw new Asn1Error('has an invalid date');
    return time;
  }

  /** The text of a character string. */
  get text(): string {
    const { valueBlock } = this.#block as BaseBlock;
    const value: unknown = 'value' in valueBlock ? valueBlock.value : undefined;
    return typeof value === 'string' ? value : '';
  }
}
