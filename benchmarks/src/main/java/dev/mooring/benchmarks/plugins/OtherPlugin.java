package dev.mooring.benchmarks.plugins;

/** One that behaves as well, and is asked for what the bad one is asked for otherwise. */
public final class OtherPlugin extends GoodPlugin {
  public static final String NAME = "example.com/other";

  public OtherPlugin() {}

  @Override
  public String name() {
    return NAME;
  }
}
