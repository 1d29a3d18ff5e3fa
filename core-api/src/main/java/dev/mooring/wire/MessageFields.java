package dev.mooring.wire;

import dev.mooring.model.Meta;
import dev.mooring.wire.WireReader.Fields;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a message: protobuf number, JSON name, and how a value is read into a draft. Immutable.
 *
 * @param <D> draft of a record. Several messages may fill one draft
 */
public final class MessageFields<D> {
  @FunctionalInterface
  public interface FieldReader<D> {
    void read(D draft, WireReader in) throws IOException;
  }

  static class ObjectDraft {
    Meta meta = MetaDecoder.getEmpty();
  }

  private final Supplier<D> drafts;
  private final Fields fields;
  // by number; null for unknown fields
  private final @Nullable FieldReader<D>[] readers;

  private MessageFields(Supplier<D> drafts, Fields fields, @Nullable FieldReader<D>[] readers) {
    this.drafts = drafts;
    this.fields = fields;
    this.readers = readers;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // the new array is empty
  public static <D> MessageFields<D> of(Supplier<D> drafts) {
    return new MessageFields<>(drafts, Fields.none(), new FieldReader[0]);
  }

  static <D extends ObjectDraft> MessageFields<D> ofObject(
      Supplier<D> drafts, RetainedFields retained) {
    return of(drafts).with(1, "metadata", (d, in) -> d.meta = MetaDecoder.decode(in, retained));
  }

  public MessageFields<D> with(int number, String name, FieldReader<D> reader) {
    return with(number, fields.and(number, name), reader);
  }

  MessageFields<D> withInline(int number, MessageFields<D> inner) {
    return with(number, fields.inline(number, inner.fields), inner::readInto);
  }

  private MessageFields<D> with(int number, Fields newFields, FieldReader<D> reader) {
    @Nullable FieldReader<D>[] newReaders =
        Arrays.copyOf(readers, Math.max(readers.length, number + 1));
    newReaders[number] = reader;
    return new MessageFields<>(drafts, newFields, newReaders);
  }

  D read(WireReader in) throws IOException {
    in.open();
    return readOpen(in);
  }

  public D readOpen(WireReader in) throws IOException {
    D draft = drafts.get();
    readFields(draft, in);
    return draft;
  }

  public void readInto(D draft, WireReader in) throws IOException {
    in.open();
    readFields(draft, in);
  }

  private void readFields(D draft, WireReader in) throws IOException {
    for (int field = in.next(fields); field != 0; field = in.next(fields)) {
      FieldReader<D> reader = field < readers.length ? readers[field] : null;
      if (reader == null) {
        in.skip();
      } else {
        reader.read(draft, in);
      }
    }
  }
}
