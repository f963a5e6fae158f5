/* The automaton's lookups alone, 64 sessions side by side with the vector instructions this machine
   has: what the hardware gives for the same tables when nothing is ever played again near ruin. */
#include <stdint.h>

#define LANES 64
typedef uint32_t words __attribute__((vector_size(64)));
typedef int32_t ints __attribute__((vector_size(64)));
#if defined(__AVX512F__)
#include <immintrin.h>
static inline ints gather(const int32_t *table, ints at) {
    return (ints)_mm512_i32gather_epi32((__m512i)at, table, 4);
}
#else
static inline ints gather(const int32_t *table, ints at) {
    ints found;
    for (int i = 0; i < 16; i++) found[i] = table[at[i]];
    return found;
}
#endif

static void fill(uint64_t seed, uint64_t session, uint32_t block, uint8_t rolls[20][LANES]) {
    uint32_t w[4][LANES];
    for (int j = 0; j < LANES; j++) {
        uint64_t own = session + (uint64_t)j;
        uint32_t a0 = block, a1 = 0, a2 = (uint32_t)own, a3 = (uint32_t)(own >> 32);
        uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
        for (int i = 0; i < 10; i++) {
            uint64_t p0 = 0xD2511F53ull * a0, p1 = 0xCD9E8D57ull * a2;
            a0 = (uint32_t)(p1 >> 32) ^ a1 ^ k0;
            a2 = (uint32_t)(p0 >> 32) ^ a3 ^ k1;
            a1 = (uint32_t)p1;
            a3 = (uint32_t)p0;
            k0 += 0x9E3779B9u;
            k1 += 0xBB67AE85u;
        }
        w[0][j] = a0; w[1][j] = a1; w[2][j] = a2; w[3][j] = a3;
    }
    for (int p = 0; p < 4; p++)
        for (int d = 0; d < 5; d++)
            for (int j = 0; j < LANES; j++) {
                uint64_t m = 36ull * w[p][j];
                rolls[p * 5 + d][j] = (uint8_t)(m >> 32);
                w[p][j] = (uint32_t)m;
            }
}

int64_t lookups(const int32_t *move, const int32_t *effect, int shift, int start, int cash,
                uint64_t seed, uint64_t first, int64_t count, int most, int64_t *out) {
    uint8_t rolls[20][LANES];
    ints mask = (ints){} + ((1 << shift) - 1), low = (ints){} + 0xFFFF;
    for (int64_t s = 0; s < count; s += LANES) {
        ints row[4], held[4], gap[4], deep[4], staked[4], latch[4];
        for (int g = 0; g < 4; g++) {
            row[g] = (ints){} + start * 36;
            held[g] = (ints){} + cash;
            gap[g] = deep[g] = staked[g] = latch[g] = (ints){};
        }
        for (int done = 0; done < most; done += 20) {
            fill(seed, first + (uint64_t)s, (uint32_t)(done / 20), rolls);
            int n = most - done < 20 ? most - done : 20;
            for (int i = 0; i < n; i++)
                for (int g = 0; g < 4; g++) {
                    ints at;
                    for (int j = 0; j < 16; j++) at[j] = rolls[i][g * 16 + j];
                    at += row[g];
                    ints m = gather(move, at), e = gather(effect, at);
                    row[g] = m & mask;
                    held[g] += m >> shift;
                    latch[g] |= held[g];
                    ints fallen = gap[g] - (e >> 16);
                    gap[g] = fallen & (fallen > 0);
                    deep[g] = (deep[g] & (deep[g] >= gap[g])) | (gap[g] & (gap[g] > deep[g]));
                    staked[g] += e & low;
                }
        }
        for (int j = 0; j < LANES && s + j < count; j++) {
            int g = j / 16, k = j % 16;
            out[s + j] = held[g][k] + deep[g][k] + staked[g][k] + latch[g][k] + row[g][k];
        }
    }
    return count * most;
}
