package dev.mooring.storage;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;

/**
 * A claim with all its labels and annotations, which whoever makes its volume may read and caches
 * do not keep.
 */
public final class WholeClaim {
  private WholeClaim() {}

  /**
   * Asks the server for what the claim lacks.
   *
   * @return {@link ReadResult.Absent} too if the server has another claim of that name
   */
  public static ReadResult<Claim> of(Claim claim, LiveReader reader) throws InterruptedException {
    return of(claim, reader.read(Kind.CLAIM, claim.key()));
  }

  /**
   * Takes what the claim lacks from what the server said.
   *
   * @return {@link ReadResult.Absent} too if that is another claim of that name
   */
  public static ReadResult<Claim> of(Claim claim, ReadResult<Claim> read) {
    if (!(read instanceof ReadResult.Found<Claim>(Claim live))) {
      return read;
    }
    return live.meta().uid().equals(claim.meta().uid())
        ? new ReadResult.Found<>(claim.with(claim.meta().described(live.meta())))
        : new ReadResult.Absent<>();
  }
}
