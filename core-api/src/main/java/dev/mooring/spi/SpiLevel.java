package dev.mooring.spi;

/**
 * Which plugins go with which hosts. A plugin's jar says in its manifest, as {@link #ATTRIBUTE},
 * the {@link #CURRENT} of the {@code core-api} it was built against; a host takes those from {@link
 * #OLDEST} to {@link #CURRENT}. A jar that says nothing is taken for one of level 1.
 *
 * <p>The level rises with every addition to {@code model} and {@code spi} that a plugin could use;
 * the oldest one with every removal.
 */
public final class SpiLevel {
  /** The manifest's main attribute. */
  public static final String ATTRIBUTE = "Mooring-Spi-Level";

  /** The oldest level that this version still takes. */
  public static final int OLDEST = 1;

  /** The level of this version. */
  public static final int CURRENT = 1;

  private SpiLevel() {}
}
