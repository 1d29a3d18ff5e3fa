package dev.mooring.benchmarks.plugins;

/** A second well-behaved plugin, which gets the calls of the bad one in the reference rounds. */
public final class OtherPlugin extends GoodPlugin {
  public static final String NAME = "example.com/other";

  public OtherPlugin() {}

  @Override
  public String name() {
    return NAME;
  }
}
