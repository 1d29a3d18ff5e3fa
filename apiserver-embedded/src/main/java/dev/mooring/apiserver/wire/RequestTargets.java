package dev.mooring.apiserver.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

final class RequestTargets {
  private RequestTargets() {}

  static ChannelInitializer<Channel> makeInitializer(Consumer<Channel> setup) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        setup.accept(channel);
      }
    };
  }

  /** Returns the request target as the client sent it; null if it is not a path (400). */
  static @Nullable URI parseTarget(CharSequence text) {
    try {
      URI target = new URI(text.toString());
      return target.getRawPath() == null ? null : target;
    } catch (URISyntaxException e) {
      return null;
    }
  }
}
