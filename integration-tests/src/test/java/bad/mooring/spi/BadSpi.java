package bad.mooring.spi;

import com.google.gson.JsonObject;
import com.google.inject.Inject;

/** R5, R8: the SPI depends on libraries. */
public class BadSpi {
  @Inject public JsonObject leak;
}
