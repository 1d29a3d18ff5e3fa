package dev.mooring.manager.grow;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import dev.mooring.model.Quantity;

/**
 * Requested growth.
 *
 * @param statefulSet the StatefulSet
 * @param template name of the claim template; "" for the only one
 * @param size new size of the claims
 */
public record GrowthRequest(ObjectKey statefulSet, String template, Quantity size) {
  static final Kind<PartialObject> STATEFUL_SET =
      new Kind<>("apps", "v1", "statefulsets", "StatefulSet", true, PartialObject.class);
  static final Kind<PartialObject> CONFIG_MAP =
      new Kind<>("", "v1", "configmaps", "ConfigMap", true, PartialObject.class);

  private static final String PREFIX = "mooring-grow-";

  public ObjectKey configMap() {
    return ObjectKey.of(statefulSet.namespace(), PREFIX + statefulSet.name());
  }

  boolean isFor(SavedStatefulSet saved) {
    return size.equals(saved.size()) && (template.isEmpty() || template.equals(saved.template()));
  }
}
