package dev.mooring.storage.decide;

import dev.mooring.model.Quantity;
import java.util.Optional;

/** Largest size that CSI can express: sizes are int64 bytes. */
public final class CsiSizeLimit {
  private CsiSizeLimit() {}

  public static Optional<String> refusal(Quantity requested) {
    return requested.exceedsBytes()
        ? Optional.of(
            "the claim requests "
                + requested
                + ", and CSI drivers can provide at most "
                + Long.MAX_VALUE
                + " bytes: request less")
        : Optional.empty();
  }
}
