package dev.mooring.spi;

/**
 * Compatibility of plugins and hosts. A plugin's jar has the manifest attribute {@link #ATTRIBUTE}
 * with the {@link #CURRENT} level of the {@code core-api} that it was compiled against. A host
 * loads jars of levels {@link #OLDEST} to {@link #CURRENT}. A jar without the attribute has level
 * 1.
 *
 * <p>{@link #CURRENT} rises with every addition to {@code model} and {@code spi} that a plugin can
 * use; {@link #OLDEST} rises with every removal.
 */
public final class SpiLevel {
  /** Name of the main attribute in the manifest. */
  public static final String ATTRIBUTE = "Mooring-Spi-Level";

  /** Oldest level that this version loads. */
  public static final int OLDEST = 1;

  /** Level of this version. */
  public static final int CURRENT = 1;

  private SpiLevel() {}
}
