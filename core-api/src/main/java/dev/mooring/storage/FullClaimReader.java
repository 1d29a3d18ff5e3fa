package dev.mooring.storage;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;

/**
 * Adds to a cached claim the labels and annotations that caches drop; provisioners may need them.
 */
public final class FullClaimReader {
  private FullClaimReader() {}

  /**
   * Reads the missing metadata from the server.
   *
   * @return {@link ReadResult.Absent} also if another claim now has the name
   */
  public static ReadResult<Claim> read(Claim claim, LiveReader reader) throws InterruptedException {
    return read(claim, reader.read(Kind.CLAIM, claim.key()));
  }

  public static ReadResult<Claim> read(Claim claim, ReadResult<Claim> read) {
    if (!(read instanceof ReadResult.Found<Claim>(Claim live))) {
      return read;
    }
    return live.meta().uid().equals(claim.meta().uid())
        ? new ReadResult.Found<>(claim.withMeta(claim.meta().withDescriptionOf(live.meta())))
        : new ReadResult.Absent<>();
  }
}
