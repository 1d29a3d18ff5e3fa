package dev.mooring.storage.decide;

import dev.mooring.model.Quantity;
import java.util.Optional;

/** Largest size that CSI can express: sizes are int64 bytes. */
public final class CsiSizeLimit {
  private CsiSizeLimit() {}

  public static Optional<String> refusal(Quantity requested) {
    return requested.exceedsBytes()
        ? Optional.of(
            "the claim requests %s, and CSI drivers can provide at most %s bytes: request less"
                .formatted(requested, Long.MAX_VALUE))
        : Optional.empty();
  }
}
