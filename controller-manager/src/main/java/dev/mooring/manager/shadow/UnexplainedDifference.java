package dev.mooring.manager.shadow;

import com.google.gson.JsonObject;
import dev.mooring.manager.shadow.pairing.PairedDifference;
import java.util.List;

/**
 * Difference without a known reason.
 *
 * @param objects complete objects as they were before the difference, without Secrets and
 *     managedFields
 */
public record UnexplainedDifference(PairedDifference finding, List<JsonObject> objects) {
  public UnexplainedDifference {
    objects = List.copyOf(objects);
  }
}
