package dev.mooring.testkit;

import dev.mooring.model.AttributesClass;
import dev.mooring.model.ObjectKey;
import java.util.Map;

/** Builder of a VolumeAttributesClass. Default: without parameters. */
public final class AttributesClassBuilder
    extends ObjectBuilder<AttributesClass, AttributesClassBuilder> {
  private String driver = "example.com/disks";
  private Map<String, String> parameters = Map.of();

  AttributesClassBuilder(ObjectKey key) {
    super(key);
  }

  public AttributesClassBuilder driver(String value) {
    this.driver = value;
    return this;
  }

  public AttributesClassBuilder parameters(Map<String, String> value) {
    this.parameters = value;
    return this;
  }

  @Override
  public AttributesClass build() {
    return new AttributesClass(meta(), driver, parameters);
  }
}
