package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** An HTTP/1.1 connection that was upgraded to a WebSocket on which only the server sends. */
final class WebSocketAnswer {
  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; // RFC 6455, 1.3
  private static final int MAX_CLIENT_FRAME = 1 << 16; // the server ignores messages of clients
  private static final String JSON = "application/json";

  private final Channel connection;
  private final boolean isText;

  private WebSocketAnswer(Channel connection, boolean isText) {
    this.connection = connection;
    this.isText = isText;
  }

  static WebSocketAnswer start(Channel connection, HttpHeaders requestHeaders, Headers headers) {
    HttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS, Unpooled.EMPTY_BUFFER);
    response
        .headers()
        .set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET)
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
        .set(
            HttpHeaderNames.SEC_WEBSOCKET_ACCEPT,
            computeAcceptKey(requestHeaders.get(HttpHeaderNames.SEC_WEBSOCKET_KEY)));
    String protocol = headers.getFirst(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL.toString());
    if (protocol != null) {
      response.headers().set(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, protocol);
    }
    String type = headers.getFirst(HttpHeaderNames.CONTENT_TYPE.toString());
    boolean isText = JSON.equals(type);
    // the encoder must be in place before this thread writes
    connection
        .eventLoop()
        .submit(() -> replaceHandlers(connection, response))
        .syncUninterruptibly();
    return new WebSocketAnswer(connection, isText);
  }

  private static void replaceHandlers(Channel connection, HttpResponse response) {
    ChannelPipeline pipeline = connection.pipeline();
    connection.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    String codec = pipeline.context(HttpServerCodec.class).name();
    pipeline.addAfter(
        codec,
        "frames in",
        new WebSocket13FrameDecoder(
            WebSocketDecoderConfig.newBuilder()
                .maxFramePayloadLength(MAX_CLIENT_FRAME)
                .allowExtensions(false)
                .build()));
    // before the decoder, which answers a broken frame itself
    pipeline.addAfter(codec, "frames out", new WebSocket13FrameEncoder(false));
    pipeline.addLast(new ClientFrames());
    pipeline.remove(HttpObjectAggregator.class);
    pipeline.remove(HttpServerCodec.class);
    connection.config().setAutoRead(true);
  }

  private static String computeAcceptKey(String key) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-1")
              .digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-1", e);
    }
  }

  private static final class ClientFrames extends SimpleChannelInboundHandler<WebSocketFrame> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
      if (frame instanceof PingWebSocketFrame) {
        context.writeAndFlush(new PongWebSocketFrame(frame.content().retain()));
      } else if (frame instanceof CloseWebSocketFrame) {
        sendCloseFrame(context.channel());
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable error) {
      context.close(); // the decoder has sent the reason to the client
    }
  }

  private static void sendCloseFrame(Channel connection) {
    connection
        .writeAndFlush(new CloseWebSocketFrame(WebSocketCloseStatus.NORMAL_CLOSURE))
        .addListener(ChannelFutureListener.CLOSE);
  }

  void sendMessage(byte[] bytes) {
    ByteBuf content = Unpooled.wrappedBuffer(bytes);
    connection.writeAndFlush(
        isText ? new TextWebSocketFrame(content) : new BinaryWebSocketFrame(content));
  }

  void sendClose() {
    sendCloseFrame(connection);
  }
}
