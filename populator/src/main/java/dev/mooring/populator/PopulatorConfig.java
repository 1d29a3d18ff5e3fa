package dev.mooring.populator;

/**
 * Configuration of the population controller.
 *
 * @param namespace namespace of prime claims and populator pods; "" if no volume is populated
 * @param acrossNamespaces whether claims may name data sources in other namespaces
 */
public record PopulatorConfig(String namespace, boolean acrossNamespaces) {
  public static final PopulatorConfig OFF = new PopulatorConfig("", false);
}
